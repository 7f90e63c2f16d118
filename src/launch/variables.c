/* SPDX-License-Identifier: BSD-3-Clause */
/* variables.c: collects environment variables for ranks on other hosts. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/environment.h"
#include "launch/variables.h"

static const cm_option *by_name(const cm_option *options, const char *name, size_t bytes)
{
    const cm_option *prefix = NULL;
    for (const cm_option *o = options; o->kind != CM_OPTION_END; o++) {
        if (!o->name || strncmp(o->name, name, bytes) != 0) continue;
        if (!o->name[bytes]) return o;
        prefix = o;
    }
    return prefix;
}

static const cm_option *by_letter(const cm_option *options, char letter)
{
    for (const cm_option *o = options; o->kind != CM_OPTION_END; o++)
        if (o->letter == letter) return o;
    return NULL;
}

static bool takes_value(const cm_option *option)
{
    return option && option->kind != CM_OPTION_FLAG && option->kind != CM_OPTION_SWITCH;
}

const char **variables_option(const cm_option *options, const char *name, int operands, char **argv)
{
    const char **value = calloc((size_t)operands + 1, sizeof *value);
    size_t n = 0;
    for (int i = 1; value && i < operands; i++) {
        const cm_option *option = NULL;
        const char *text = NULL;
        if (strncmp(argv[i], "--", 2) == 0) {
            size_t bytes = strcspn(argv[i] + 2, "=");
            option = by_name(options, argv[i] + 2, bytes);
            if (argv[i][2 + bytes]) text = argv[i] + 3 + bytes;
        } else
            for (const char *letter = argv[i] + 1; *letter; letter++)
                if (takes_value(option = by_letter(options, *letter))) {
                    if (letter[1]) text = letter + 1;
                    break;
                }
        if (!takes_value(option)) continue;
        if (!text && ++i < operands) text = argv[i];
        if (text && strcmp(option->name, name) == 0) value[n++] = text;
    }
    return value;
}

void variables_free(char **variables)
{
    for (size_t i = 0; variables && variables[i]; i++) free(variables[i]);
    free(variables);
}

/* Besides our own: with other kernels of OpenBLAS the hosts would differ by them. */
static bool passes(const char *name, size_t bytes)
{
    static const char kernels[] = "OPENBLAS_CORETYPE";
    return cm_environment_known(name, bytes)
           || (bytes == sizeof kernels - 1 && memcmp(name, kernels, bytes) == 0);
}

bool variables_rename(char **variables)
{
    for (; *variables; variables++) {
        const char *equals = strchr(*variables, '=');
        const char *now = cm_environment_renamed(*variables, (size_t)(equals - *variables));
        char *text;
        if (!now) continue;
        if (asprintf(&text, "%s%s", now, equals) < 0) return false;
        free(*variables);
        *variables = text;
    }
    return true;
}

char **variables_collect(const char *const *named, const char **wrong)
{
    size_t most = 1, n = 0;
    for (char **each = environ; each && *each; each++) most++;
    for (const char *const *each = named; *each; each++) most++;
    char **variable = calloc(most, sizeof *variable);
    *wrong = NULL;
    if (!variable) return NULL;
    for (char **each = environ; each && *each; each++) {
        const char *equals = strchr(*each, '=');
        if (!equals || !passes(*each, (size_t)(equals - *each))) continue;
        if (!(variable[n] = strdup(*each))) goto fail;
        n++;
    }
    for (const char *const *each = named; *each; each++) {
        const char *equals = strchr(*each, '='), *value = equals ? NULL : getenv(*each);
        if (equals == *each || !**each || (!equals && !value)) {
            *wrong = *each;
            goto fail;
        }
        char *text = NULL;
        if ((equals ? asprintf(&text, "%s", *each) : asprintf(&text, "%s=%s", *each, value)) < 0)
            goto fail;
        variable[n++] = text;
    }
    return variable;
fail:
    variables_free(variable);
    return NULL;
}
