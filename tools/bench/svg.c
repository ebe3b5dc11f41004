/* SPDX-License-Identifier: Apache-2.0
 *
 * Draws with the program gnuplot, which reads its commands and data from a pipe and writes to a
 * temporary file next to the requested one. That file is renamed once it is complete. Text is
 * passed to gnuplot only in single quotes, within which no other character is special.
 */
#define _GNU_SOURCE /* environ, mkstemp, realpath */
#include "tools/bench/print.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* A new file next to the requested one. */
struct draft {
    char wanted[PATH_MAX]; /* without symbolic links */
    char path[PATH_MAX + 8];
    int descriptor;
};

/* ---- The file ---------------------------------------------------------------------------------*/

/* Complains of a file that cannot be replaced: a folder, a device, a file without write permission.
 */
static bool make_draft(const char *file, struct draft *draft)
{
    struct stat found;
    const char *reason = NULL;
    if (realpath(file, draft->wanted) == NULL)
        snprintf(draft->wanted, sizeof draft->wanted, "%s", file);
    if (file[0] == '\0' || strlen(file) >= sizeof draft->wanted)
        reason = strerror(file[0] == '\0' ? ENOENT : ENAMETOOLONG);
    else if (stat(draft->wanted, &found) == 0 && !S_ISREG(found.st_mode))
        reason = S_ISDIR(found.st_mode) ? "is a directory" : "is not a regular file";
    else if (lstat(draft->wanted, &found) == 0 && S_ISLNK(found.st_mode))
        reason = "is a symbolic link to a file that does not exist";
    else if (access(draft->wanted, F_OK) == 0 && access(draft->wanted, W_OK) != 0)
        reason = strerror(errno);
    snprintf(draft->path, sizeof draft->path, "%s.XXXXXX", draft->wanted);
    draft->descriptor = reason == NULL ? mkstemp(draft->path) : -1;
    if (draft->descriptor >= 0) {
        fcntl(draft->descriptor, F_SETFD, FD_CLOEXEC);
        return true;
    }
    cli_complain(file, "%s", reason != NULL ? reason : strerror(errno));
    return false;
}

static void drop_draft(const struct draft *draft)
{
    close(draft->descriptor);
    unlink(draft->path);
}

/* Whether the picture is complete: gnuplot does not report a full disk. */
static bool is_complete(const struct draft *draft)
{
    static const char end[] = "</svg>";
    char tail[64] = "";
    const off_t length = lseek(draft->descriptor, 0, SEEK_END);
    const off_t from = length < (off_t)sizeof tail - 1 ? 0 : length - (off_t)sizeof tail + 1;
    return pread(draft->descriptor, tail, sizeof tail - 1, from) > 0 && strstr(tail, end) != NULL;
}

/* The permissions of the file that is replaced, or those that a new one has. */
static mode_t find_mode(const struct draft *draft)
{
    struct stat found;
    if (stat(draft->wanted, &found) == 0)
        return found.st_mode & 0777;
    const mode_t mask = umask(0);
    umask(mask);
    return 0666 & ~mask;
}

static bool keep_draft(const struct draft *draft)
{
    return fchmod(draft->descriptor, find_mode(draft)) == 0 &&
           rename(draft->path, draft->wanted) == 0 && close(draft->descriptor) == 0;
}

/* ---- gnuplot ----------------------------------------------------------------------------------*/

/* Starts gnuplot with this input and output, and without standard error. Returns false and errno if
 * that fails. */
static bool start_gnuplot(const char *argument, int input, int output, pid_t *process)
{
    const char *const arguments[] = {"gnuplot", argument, NULL};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGPIPE); /* main ignores it */
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input, STDIN_FILENO);
    posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    errno = posix_spawnp(process, arguments[0], &actions, &attributes, (char *const *)arguments,
                         environ);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return errno == 0;
}

/* Waits for gnuplot; returns whether it succeeded. */
static bool wait_for(pid_t process)
{
    int status = 0;
    pid_t ended;
    do
        ended = waitpid(process, &status, 0);
    while (ended < 0 && errno == EINTR);
    return ended == process && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static bool check_gnuplot(void)
{
    pid_t process;
    const int nothing = open("/dev/null", O_RDWR | O_CLOEXEC);
    const bool is_started = start_gnuplot("--version", nothing, nothing, &process);
    const bool is_missing = !is_started && errno == ENOENT;
    close(nothing);
    if (is_started && wait_for(process))
        return true;
    cli_complain(NULL, "--svg: gnuplot %s", is_missing ? "is not installed" : "does not run");
    return false;
}

bool cli_bench_check_svg(const char *file)
{
    struct draft draft;
    if (!check_gnuplot() || !make_draft(file, &draft))
        return false;
    drop_draft(&draft);
    return true;
}

/* ---- The picture ------------------------------------------------------------------------------*/

/* Writes the text in quotes, and without characters that would end a line. */
static void write_quoted(FILE *plot, const char *text)
{
    putc('\'', plot);
    for (; *text != '\0'; text++) {
        if (*text == '\'')
            putc('\'', plot);
        putc((unsigned char)*text < ' ' ? ' ' : *text, plot);
    }
    putc('\'', plot);
}

/* Writes the scales of sizes: floats as powers of two below, bytes above. */
static void write_sizes(const struct cli_bench *bench, FILE *plot)
{
    char bytes[CLI_BENCH_BYTES_TEXT];
    const double first = bench->sizes[0].power - 1;
    const double last = bench->sizes[bench->size_count - 1].power + 1;
    for (int axis = 1; axis <= 2; axis++) {
        const char *name = axis == 1 ? "x" : "x2";
        fprintf(plot, "set logscale %s 2\nset %srange [2**%g:2**%g]\nset %stics (", name, name,
                first, last, name);
        for (size_t s = 0; s < bench->size_count; s++) {
            fputs(s > 0 ? ", " : "", plot);
            cli_bench_write_bytes(cli_bench_bytes(&bench->sizes[s]), bytes);
            if (axis == 1)
                fprintf(plot, "'2^{%d}'", bench->sizes[s].power);
            else
                write_quoted(plot, bytes);
            fprintf(plot, " %.0f", cli_bench_bytes(&bench->sizes[s]) / sizeof(float));
        }
        fputs(axis == 1 ? ")\n" : ") font ',11'\n", plot);
    }
}

static void write_settings(const struct cli_bench *bench, FILE *plot)
{
    fputs("set encoding utf8\n"
          "set terminal svg size 960,660 enhanced font 'sans-serif,14' background 'white'\n"
          "set title 'The sum and the maximum of floats, from the launch to the values'\n"
          "set xlabel 'floats'\n"
          "set x2label 'bytes'\n"
          "set ylabel 'GB/s'\n"
          "set logscale y 10\n"
          "set format y '%g'\n"
          "set grid xtics ytics lc rgb '#dddddd' lt 1\n"
          "set key below left Left reverse noenhanced\n"
          "set xtics nomirror\n",
          plot);
    write_sizes(bench, plot);
}

/* Speeds and their quartiles, in a block of data for each device and way. */
static void write_data(const struct cli_bench *bench, FILE *plot)
{
    for (size_t d = 0; d < bench->device_count; d++)
        for (int way = 0; way < CLI_BENCH_WAYS; way++) {
            fprintf(plot, "$data_%zu_%d << END\n", d, way);
            for (size_t s = 0; s < bench->size_count; s++) {
                const struct cli_timing *timing = &bench->sizes[s].timings[d][way];
                const double gigabytes = cli_bench_bytes(&bench->sizes[s]) / 1e9;
                if (timing->turns > 0)
                    fprintf(plot, "%.0f %.9g %.9g %.9g\n", gigabytes * 1e9 / sizeof(float),
                            gigabytes / timing->median, gigabytes / timing->upper,
                            gigabytes / timing->lower);
            }
            fputs("END\n", plot);
        }
}

static void write_device(const struct cli_bench *bench, size_t d, bool is_first, FILE *plot)
{
    /* the palette of Okabe and Ito, for colour-blind readers */
    static const char *const colours[] = {"#0072b2", "#d55e00", "#009e73", "#cc79a7",
                                          "#e69f00", "#56b4e9", "#000000"};
    const struct cli_bench_device *device = &bench->devices[d];
    const char *colour = colours[d % (sizeof colours / sizeof *colours)];
    char title[256];
    for (int way = 0; way < (device->is_host ? 1 : CLI_BENCH_WAYS); way++) {
        snprintf(title, sizeof title, "%s%s", device->info.name,
                 device->is_host          ? ""
                 : way == CLI_BENCH_THERE ? ", data on the device"
                                          : ", data copied from host memory");
        fprintf(
            plot,
            "%s $data_%zu_%d using 1:2:3:4 with yerrorlines lw 2 lc rgb '%s' pt %d dt %d title ",
            is_first && way == 0 ? "plot" : ",", d, way, colour, way == 0 ? 7 : 6, way + 1);
        write_quoted(plot, title);
    }
    snprintf(title, sizeof title, "%s reads memory at %.3g GB/s", device->info.name,
             device->bandwidth / 1e9);
    fprintf(plot, ", %.9g with lines lw 1.5 dt 3 lc rgb '%s' title ", device->bandwidth / 1e9,
            colour);
    write_quoted(plot, title);
}

static bool has_timings(const struct cli_bench *bench, size_t d)
{
    for (size_t s = 0; s < bench->size_count; s++)
        if (bench->sizes[s].timings[d][CLI_BENCH_THERE].turns > 0)
            return true;
    return false;
}

static void write_plot(const struct cli_bench *bench, FILE *plot)
{
    bool is_first = true;
    write_settings(bench, plot);
    write_data(bench, plot);
    for (size_t d = 0; d < bench->device_count; d++)
        if (has_timings(bench, d)) {
            write_device(bench, d, is_first, plot);
            is_first = false;
        }
    fputs("\n", plot);
}

/* Draws into the temporary file. */
static bool draw(const struct cli_bench *bench, const struct draft *draft)
{
    int ends[2];
    pid_t process;
    if (pipe(ends) != 0)
        return false;
    fcntl(ends[1], F_SETFD, FD_CLOEXEC);
    const bool is_started = start_gnuplot("-", ends[0], draft->descriptor, &process);
    FILE *plot = fdopen(ends[1], "w");
    close(ends[0]);
    if (plot == NULL)
        close(ends[1]);
    else if (is_started)
        write_plot(bench, plot);
    const bool is_written = plot != NULL && fclose(plot) == 0;
    return is_started && wait_for(process) && is_written && is_complete(draft);
}

bool cli_bench_write_svg(const struct cli_bench *bench, const char *file)
{
    struct draft draft;
    if (!make_draft(file, &draft))
        return false;
    if (!draw(bench, &draft)) {
        cli_complain(file, "gnuplot could not write the picture");
        drop_draft(&draft);
        return false;
    }
    if (keep_draft(&draft))
        return true;
    cli_complain(file, "%s", strerror(errno));
    drop_draft(&draft);
    return false;
}
