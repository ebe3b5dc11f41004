/* SPDX-License-Identifier: Apache-2.0
 *
 * Runs the tool with standard output and error going to files without names.
 */
#include "tests/tool/tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void give_up(const char *what)
{
    perror(what);
    exit(1);
}

static void read_back(FILE *file, char text[TOOL_TEXT_BYTES])
{
    rewind(file);
    const size_t length = fread(text, 1, TOOL_TEXT_BYTES - 1, file);
    text[length] = '\0';
    fclose(file);
}

void tool_run(const char *tool, const char *const *arguments, struct tool_run *run)
{
    const char *words[TOOL_MOST_ARGUMENTS + 2] = {tool};
    char *argv[TOOL_MOST_ARGUMENTS + 2];
    FILE *output = tmpfile(), *errors = tmpfile();
    int status;
    if (output == NULL || errors == NULL)
        give_up("a temporary file");
    for (size_t a = 0; arguments[a] != NULL && a < TOOL_MOST_ARGUMENTS; a++)
        words[a + 1] = arguments[a];
    memcpy(argv, words, sizeof argv); /* execv writes to none, but is older than const */
    const pid_t child = fork();
    if (child < 0)
        give_up("fork");
    if (child == 0) {
        dup2(fileno(output), STDOUT_FILENO);
        dup2(fileno(errors), STDERR_FILENO);
        execv(tool, argv);
        _exit(127);
    }
    if (waitpid(child, &status, 0) != child)
        give_up("waitpid");
    run->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    read_back(output, run->output);
    read_back(errors, run->errors);
}
