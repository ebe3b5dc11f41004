/* SPDX-License-Identifier: Apache-2.0
 *
 * A thread that runs the shares of one device, beside the launching thread. It spins for a while
 * before it sleeps, so that consecutive launches do not wait for it to wake.
 */
#ifndef REAP_COMBINED_WORKER_H
#define REAP_COMBINED_WORKER_H

struct reap__worker;

/* NULL: no memory, or no thread could be created. */
struct reap__worker *reap__worker_create(void);

/* `begin` calls work(data) on the worker's thread; `wait` blocks until it has returned. One at a
 * time. */
void reap__worker_begin(struct reap__worker *worker, void (*work)(void *data), void *data);
void reap__worker_wait(struct reap__worker *worker);

#endif
