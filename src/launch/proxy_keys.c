/* SPDX-License-Identifier: BSD-3-Clause */
/* proxy_keys.c: answers a rank's get from the keys that cmrun has sent. */
#include "config.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "launch/proxy_keys.h"

bool proxy_keys_start(proxy_keys *keys, int ranks)
{
    keys->free = calloc((size_t)ranks, sizeof *keys->free);
    keys->ranks = keys->free ? ranks : 0;
    return keys->free != NULL;
}

static bool take_word(proxy_keys *keys, const char *word, size_t bytes)
{
    char key[CM_PMI_KEY_BYTES], value[CM_PMI_VALUE_BYTES];
    const char *equals = memchr(word, '=', bytes);
    size_t name = equals ? (size_t)(equals - word) : 0, rest = bytes - name - 1;
    if (!equals || name >= sizeof key || rest >= sizeof value) return false;
    memcpy(key, word, name);
    key[name] = '\0';
    memcpy(value, equals + 1, rest);
    value[rest] = '\0';
    return cm_pmi_key_valid(key) && (!*value || cm_pmi_value_valid(value))
           && key_table_put(&keys->table, key, value);
}

bool proxy_keys_take(proxy_keys *keys, const char *text)
{
    if (!cm_pmi_line_field(text, "kvsname", keys->space, sizeof keys->space)) return false;
    for (const char *word = text + strcspn(text, " "); *word;) {
        word += strspn(word, " ");
        size_t bytes = strcspn(word, " ");
        if (bytes && !take_word(keys, word, bytes)) return false;
        word += bytes;
    }
    return true;
}

bool proxy_keys_answer(proxy_keys *keys, int i, const char *line, char answer[CM_PMI_LINE_BYTES])
{
    char field[CM_PMI_KEY_BYTES];
    const key_entry *entry = NULL;
    if (i >= keys->ranks) return false;
    if (keys->free[i] && cm_pmi_line_valid(line)
        && cm_pmi_line_field(line, "cmd", field, sizeof field) && strcmp(field, "get") == 0
        && cm_pmi_line_field(line, "kvsname", field, sizeof field)
        && strcmp(field, keys->space) == 0 && cm_pmi_line_field(line, "key", field, sizeof field))
        entry = key_table_find(&keys->table, field);
    keys->free[i] = entry != NULL;
    if (entry)
        snprintf(answer, CM_PMI_LINE_BYTES, "cmd=get_result rc=0 msg=success value=%s\n",
                 entry->value);
    return entry != NULL;
}

void proxy_keys_answered(proxy_keys *keys, int i, const char *line)
{
    static const char joined[] = "cmd=response_to_init ", left[] = "cmd=finalize_ack";
    if (i >= keys->ranks || strncmp(line, left, sizeof left - 1) == 0) return;
    /* A rank that was refused is no member. */
    keys->free[i] = strncmp(line, joined, sizeof joined - 1) != 0 || strstr(line, " rc=0");
}

void proxy_keys_free(proxy_keys *keys)
{
    key_table_free(&keys->table);
    free(keys->free);
}
