/* SPDX-License-Identifier: Apache-2.0
 *
 * Plugins whose kernels have the same names and do different things. With the shared library, each
 * is closed before the next one is opened, which then is at the same address: nothing that the
 * library has kept of the kernels that were there is used. With copies of the static library, all
 * are open at once.
 */
#include "tests/conformance/plugins.h"
#include "tests/support/check_status.h"

#include <dlfcn.h>

enum { MOST = 4, ROUNDS = 3 };

struct plugin {
    void *handle;
    struct plugin_run run;
};

static bool open_plugin(const char *path, struct plugin *plugin)
{
    plugin->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (plugin->handle == NULL)
        fprintf(stderr, "%s\n", dlerror());
    return CHECK(plugin->handle != NULL);
}

static void run(struct plugin *plugin)
{
    void (*plugin_run)(struct plugin_run *);
    void *const found = dlsym(plugin->handle, "plugin_run");
    memcpy(&plugin_run, &found, sizeof plugin_run);
    plugin_run(&plugin->run);
}

static void check_results(const struct plugin *plugin)
{
    CHECK_STR(plugin->run.problem, "");
    CHECK_EQ(plugin->run.status, REAP_OK);
    CHECK_EQ(plugin->run.wrong, 0);
}

static void check_refusal(const struct plugin *plugin)
{
    CHECK_EQ(plugin->run.status, REAP_ERROR_COMPILATION_FAILED);
    CHECK_HAS(plugin->run.problem, "cannot access variable 'offset' of the program");
}

/* The last plugin's kernels have a variable of the program, and are refused. */
static void check_one_after_another(char **paths, int count)
{
    const void *before = NULL;
    int same = 0;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++) {
            struct plugin plugin;
            if (!open_plugin(paths[i], &plugin))
                return;
            run(&plugin);
            if (i < count - 1)
                CHECK_IN(check_results(&plugin));
            else
                CHECK_IN(check_refusal(&plugin));
            same += plugin.run.kernel == before;
            before = plugin.run.kernel;
            CHECK_EQ(dlclose(plugin.handle), 0);
        }
    }
    CHECK_GT(same, 0);
}

/* REAP_HOST_COMPILER_AFTER is 0, so the kernels with barriers are compiled. */
static void check_together(char **paths, int count)
{
    struct plugin plugins[MOST];
    for (int i = 0; i < count; i++)
        if (!open_plugin(paths[i], &plugins[i]))
            return;
    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < count; i++) {
            run(&plugins[i]);
            CHECK_IN(check_results(&plugins[i]));
            CHECK_STR(plugins[i].run.code, "compiled at run time");
        }
    }
}

/* plugins closed|together PATH... */
int main(int argc, char **argv)
{
    if (argc < 3 || argc - 2 > MOST)
        return 2;
    if (strcmp(argv[1], "together") == 0)
        check_together(argv + 2, argc - 2);
    else
        check_one_after_another(argv + 2, argc - 2);
    return check_finish();
}
