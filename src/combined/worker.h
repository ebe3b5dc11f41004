/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread that runs the shares of one device, beside the launching thread. It watches for the next
 * one for a while before it sleeps, so that launches that come back to back do not wait for it.
 */
#ifndef REAP_COMBINED_WORKER_H
#define REAP_COMBINED_WORKER_H

struct reap__worker;

/* NULL: a thread or memory could not be had. */
struct reap__worker *reap__worker_create(void);

/* Begins work(data) on the worker's thread, and waits until it has ended. One at a time. */
void reap__worker_begin(struct reap__worker *worker, void (*work)(void *data), void *data);
void reap__worker_wait(struct reap__worker *worker);

#endif
