/* SPDX-License-Identifier: BSD-3-Clause */
/* settings.c: parses the environment variable CM_DUMMY strictly. */
#include "dummy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *key;
    size_t offset;
    bool whole;
    double low, high;
} setting;

#define AT(name) #name, offsetof(cm_dummy_settings, name)
static const setting table[] = {
    {AT(ranks), true, 1, 65536},
    {AT(latency_us), false, 0, 1e9},
    {AT(bandwidth_MB_per_s), false, 1e-6, 1e9},
    {AT(eager_bytes), true, 0, 1e15},
    {AT(rendezvous_latency_us), false, 0, 1e9},
    {AT(rendezvous_bandwidth_MB_per_s), false, 1e-6, 1e9},
    {AT(nic_MB_per_s), false, 1e-6, 1e9},
    {AT(buffer_bytes), true, 0, 1e15},
    {AT(jitter), false, 0, 0.99},
    {AT(loss), false, 0, 0.99},
    {AT(retransmit_us), false, 0, 1e9},
    {AT(corrupt), false, 0, 1},
    {AT(seed), true, 0, 9007199254740992.0},
    {AT(call_us), false, 1e-4, 1e6},
    {AT(compute), true, 0, 1},
};
enum { SETTINGS = sizeof table / sizeof *table };

static double *field(cm_dummy_settings *settings, const setting *s)
{
    return (double *)(void *)((char *)settings + s->offset);
}

static int refuse_key(const char *text, size_t length)
{
    fprintf(stderr, "CM_DUMMY: unknown setting '%.*s'; expected one of", (int)length, text);
    for (int i = 0; i < SETTINGS; i++) fprintf(stderr, "%s %s", i ? "," : "", table[i].key);
    fprintf(stderr, ", each followed by =NUMBER\n");
    return CM_EXIT_USAGE;
}

int cm_dummy_settings_parse(const char *text, size_t eager_bytes, cm_dummy_settings *settings)
{
    cm_dummy_settings new = {.ranks = 1,
                             .latency_us = 50,
                             .bandwidth_MB_per_s = 100,
                             .eager_bytes = (double)eager_bytes,
                             .buffer_bytes = 1 << 20,
                             .retransmit_us = 200000,
                             .seed = 1,
                             .call_us = 0.01,
                             /* Set below, once all given settings are known. */
                             .rendezvous_latency_us = NAN,
                             .rendezvous_bandwidth_MB_per_s = NAN,
                             .nic_MB_per_s = NAN,
                             .compute = NAN};
    bool given[SETTINGS] = {false};

    for (const char *p = text; p && *p;) {
        size_t length = strcspn(p, ",");
        const char *equals = memchr(p, '=', length);
        size_t key_length = equals ? (size_t)(equals - p) : length;
        int i = 0;
        while (i < SETTINGS
               && (strlen(table[i].key) != key_length || memcmp(table[i].key, p, key_length)))
            i++;
        if (i == SETTINGS || !equals) return refuse_key(p, length);
        if (given[i]) {
            fprintf(stderr, "CM_DUMMY: %s is given twice; expected each setting once\n",
                    table[i].key);
            return CM_EXIT_USAGE;
        }
        given[i] = true;

        char *end;
        double value = strtod(equals + 1, &end);
        /* strtod would accept leading blanks. */
        bool number = end == p + length && end > equals + 1 && !strchr(" \t\n\v\f\r", equals[1]);
        if (!number || !(value >= table[i].low && value <= table[i].high)
            || (table[i].whole && value != floor(value))) {
            fprintf(stderr, "CM_DUMMY: %.*s: %s: expected a %snumber from %.16g to %.16g\n",
                    (int)length, p, table[i].key, table[i].whole ? "whole " : "", table[i].low,
                    table[i].high);
            return CM_EXIT_USAGE;
        }
        *field(&new, &table[i]) = value;
        p += length;
        if (*p == ',' && !*++p) return refuse_key("", 0);
    }

    /* A request, a permission and the data: three messages over the wire. */
    if (isnan(new.rendezvous_latency_us)) new.rendezvous_latency_us = 3 * new.latency_us;
    if (isnan(new.rendezvous_bandwidth_MB_per_s))
        new.rendezvous_bandwidth_MB_per_s = new.bandwidth_MB_per_s;
    if (isnan(new.nic_MB_per_s))
        new.nic_MB_per_s = fmax(new.bandwidth_MB_per_s, new.rendezvous_bandwidth_MB_per_s);
    if (isnan(new.compute)) new.compute = new.ranks == 1;
    *settings = new;
    return 0;
}

void cm_dummy_settings_describe(const cm_dummy_settings *settings,
                                void (*each)(const char *, const char *, void *), void *context)
{
    cm_dummy_settings copy = *settings;
    for (int i = 0; i < SETTINGS; i++) {
        char key[64], value[32];
        bool known = !strcmp(table[i].key, "eager_bytes"); /* a key that other backends have too */
        snprintf(key, sizeof key, "%s%s", known ? "" : "dummy_", table[i].key);
        snprintf(value, sizeof value, "%.16g", *field(&copy, &table[i]));
        each(key, value, context);
    }
}
