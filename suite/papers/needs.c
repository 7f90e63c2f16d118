/* SPDX-License-Identifier: BSD-3-Clause */
/* needs.c: the place that an item of a paper needs. */
#include "config.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "common/memory.h"
#include "needs.h"
#include "pages.h"
#include "common/words.h"

/* ---- reading --------------------------------------------------------------------------------- */

/* BENCH:KEY or KEY, in front of the relation. */
static bool read_key(suite_need *need, const char *word, size_t length)
{
    char *text = suite_text("%.*s", (int)length, word), *colon = strchr(text, ':');
    if (colon) {
        *colon = '\0';
        need->bench = suite_copy(text);
    }
    need->key = suite_copy(colon ? colon + 1 : text);
    free(text);
    return *need->key && (!need->bench || *need->bench);
}

static bool read_need(suite_need *need, const char *word)
{
    static const char *const relations[] = {">=", "<=", "=", "~"};
    size_t length = strcspn(word, "<>=~");
    bool right = read_key(need, word, length);
    for (size_t k = 0; right && k < sizeof relations / sizeof relations[0]; k++) {
        size_t n = strlen(relations[k]);
        if (strncmp(word + length, relations[k], n) != 0) continue;
        strcpy(need->relation, relations[k]);
        need->value = suite_copy(word + length + n);
        return *need->value;
    }
    return false;
}

static bool is_order(const suite_need *need) { return strchr("<>", need->relation[0]); }

bool suite_needs_parse(const char *text, suite_needs *needs, char *why, size_t why_size)
{
    suite_words words = {0};
    double number;
    bool right = true;
    *needs = (suite_needs){0};
    if (strcmp(text, "-") == 0) return true;
    suite_words_split(&words, text);
    for (size_t k = 0; right && k < words.n; k++) {
        needs->need = suite_longer(needs->need, needs->n + 1, sizeof needs->need[0]);
        suite_need *need = &needs->need[needs->n++];
        *need = (suite_need){0};
        right = read_need(need, words.word[k])
                && (!is_order(need) || cm_record_number(need->value, &number));
        if (!right)
            snprintf(why, why_size,
                     "'%s': expected KEY=VALUE, KEY>=NUMBER, KEY<=NUMBER or "
                     "KEY~TEXT",
                     words.word[k]);
    }
    suite_words_free(&words);
    if (!right) suite_needs_free(needs);
    return right;
}

void suite_needs_free(suite_needs *needs)
{
    for (size_t k = 0; k < needs->n; k++) {
        free(needs->need[k].bench);
        free(needs->need[k].key);
        free(needs->need[k].value);
    }
    free(needs->need);
    *needs = (suite_needs){0};
}

/* ---- what a result has ----------------------------------------------------------------------- */

/* The word behind KEY= in a line of a network interface; the caller frees. */
static char *word_of(const char *nic, const char *key)
{
    char *start = suite_text(" %s=", key);
    const char *at = strstr(nic, start);
    char *word =
        at ? suite_text("%.*s", (int)strcspn(at + strlen(start), " "), at + strlen(start)) : NULL;
    free(start);
    return word;
}

/* Returns the value that all interfaces except lo share, or NULL if they differ or none has it. */
static char *of_interfaces(const cm_record *record, const char *key)
{
    char *all = NULL;
    for (size_t k = 0; k < record->n_meta; k++) {
        const cm_record_entry *entry = &record->meta[k];
        if (strcmp(entry->key, "nic") != 0 || strncmp(entry->value, "lo ", 3) == 0) continue;
        char *one = word_of(entry->value, key);
        bool differs = one && all && strcmp(one, all) != 0;
        if (!all) all = one;
        else free(one);
        if (!differs) continue;
        free(all);
        return NULL;
    }
    return all;
}

/* "100mbit" as virtual-cluster takes it, in Mbit/s. */
static char *rate_of(const char *text)
{
    static const struct {
        const char *unit;
        double mbit;
    } units[] = {{"kbit", 1e-3}, {"mbit", 1}, {"gbit", 1e3}};
    char *unit;
    double number = strtod(text, &unit);
    for (size_t k = 0; k < sizeof units / sizeof units[0]; k++)
        if (strcmp(unit, units[k].unit) == 0) return suite_text("%g", number * units[k].mbit);
    return suite_copy(text);
}

char *suite_needs_value(const cm_record *record, const char *key)
{
    bool is_rate = strcmp(key, "Mbit_per_s") == 0, is_mtu = strcmp(key, "mtu_bytes") == 0;
    const char *text = cm_record_meta(record, is_rate  ? "virtual_rate"
                                              : is_mtu ? "virtual_mtu"
                                                       : key);
    if (is_rate && text) return rate_of(text);
    if (text) return suite_copy(text);
    if (is_rate) return of_interfaces(record, "speed_Mbit_per_s");
    return is_mtu ? of_interfaces(record, key) : NULL;
}

static bool is_met(const suite_need *need, const char *value)
{
    double have, want;
    if (!value) return false;
    if (need->relation[0] == '~') return strstr(value, need->value);
    bool numbers = cm_record_number(value, &have) && cm_record_number(need->value, &want);
    if (!is_order(need)) return numbers ? have == want : strcmp(value, need->value) == 0;
    return numbers && (need->relation[0] == '>' ? have >= want : have <= want);
}

/* ---- the results of an answer ---------------------------------------------------------------- */

static void add_once(suite_words *names, const char *name)
{
    if (!suite_words_have(names, name)) suite_words_add(names, name);
}

static void add_sources(suite_words *names, const suite_expression *expression, const char *owner)
{
    for (size_t k = 0; k < expression->n; k++) {
        const suite_source *source = &expression->source[k];
        if (source->kind != SUITE_SOURCE_NUMBER)
            add_once(names, source->bench ? source->bench : owner);
    }
}

static suite_words results_of(const suite_answer *answer, const char *owner)
{
    suite_words names = {0};
    for (size_t k = 0; k < answer->n; k++) {
        const suite_part *part = &answer->part[k];
        if (part->bench) add_once(&names, part->bench);
        add_sources(&names, &part->expression, owner);
        add_sources(&names, &part->bound, owner);
    }
    return names;
}

/* Returns what is needed instead if this result's messages crossed no real network; otherwise NULL.
   */
static const char *unreal(const cm_record *record)
{
    const char *transport = cm_record_meta(record, "transport");
    const char *comm = cm_record_meta(record, "comm"), *ranks = cm_record_meta(record, "ranks");
    if (transport && strncmp(transport, "simulated", strlen("simulated")) == 0)
        return SAID_NEEDS_REAL;
    if (comm && strcmp(comm, "dummy") == 0 && ranks && strcmp(ranks, "1") != 0)
        return SAID_NEEDS_NO_DUMMY;
    return NULL;
}

static void add_missing(char **text, const char *words)
{
    char *longer = *text ? suite_text("%s, %s", *text, words) : suite_copy(words);
    if (*text && strstr(*text, words)) {
        free(longer);
        return;
    }
    free(*text);
    *text = longer;
}

static void check(const suite_need *need, const cm_record *record, char **missing)
{
    char *value = suite_needs_value(record, need->key);
    if (!is_met(need, value)) {
        char *words =
            said_needs_missing(need->bench, need->key, need->relation, need->value, value);
        add_missing(missing, words);
        free(words);
    }
    free(value);
}

char *suite_needs_missing(const suite_needs *needs, const suite_answer *answer, const char *owner,
                          const suite_results *results)
{
    suite_words names = results_of(answer, owner);
    char *missing = NULL;
    for (size_t k = 0; k < names.n; k++) {
        const cm_record *record = suite_results_find(results, names.word[k]);
        const char *other = record ? unreal(record) : NULL;
        if (other) add_missing(&missing, other);
    }
    for (size_t n = 0; n < needs->n; n++)
        for (size_t k = 0; k < names.n; k++) {
            const suite_need *need = &needs->need[n];
            const cm_record *record = suite_results_find(results, names.word[k]);
            if (record && (!need->bench || strcmp(need->bench, names.word[k]) == 0))
                check(need, record, &missing);
        }
    suite_words_free(&names);
    return missing;
}

char *suite_needs_words(const suite_needs *needs)
{
    char *text = suite_copy("");
    for (size_t k = 0; k < needs->n; k++) {
        const suite_need *need = &needs->need[k];
        char *longer =
            suite_text("%s%s%s%s%s %s %s", text, k > 0 ? ", " : "", need->bench ? need->bench : "",
                       need->bench ? ": " : "", need->key, need->relation, need->value);
        free(text);
        text = longer;
    }
    return text;
}

/* ---- virtual hosts --------------------------------------------------------------------------- */

/* What they have of such hosts; NULL: no need says it. */
typedef struct {
    double hosts;
    const char *rate, *mtu, *nodelay;
    bool two; /* results must stand beside others */
} virtual_needs;

static bool is_one_of(const suite_need *need, const char *const *keys)
{
    for (; *keys; keys++)
        if (strcmp(need->key, *keys) == 0) return true;
    return false;
}

static bool is_beside(const suite_need *need)
{
    return need->bench && strncmp(need->bench, "beside/", strlen("beside/")) == 0;
}

/* What a build has, whatever the hosts; memory alone has no hosts beside it. */
static bool is_given(const suite_need *need)
{
    static const char *const given[] = {"comm", "transport", NULL};
    return is_one_of(need, given) && strcmp(need->value, "shm") != 0;
}

/* The results beside them must come from the same hosts, as no need says otherwise. */
static bool read_virtual(const suite_needs *needs, virtual_needs *v)
{
    static const char *const counts[] = {"hosts", "ranks", NULL};
    double value;
    *v = (virtual_needs){0};
    for (size_t k = 0; k < needs->n; k++) {
        const suite_need *need = &needs->need[k];
        bool beside = is_beside(need), number = cm_record_number(need->value, &value);
        v->two = v->two || beside;
        if (is_one_of(need, counts) && number && value > 1) v->hosts = fmax(v->hosts, value);
        else if (!beside && strcmp(need->key, "Mbit_per_s") == 0) v->rate = need->value;
        else if (!beside && strcmp(need->key, "mtu_bytes") == 0) v->mtu = need->value;
        else if (!beside && strcmp(need->key, "nodelay") == 0) v->nodelay = need->value;
        else if (!is_given(need)) return false;
    }
    return v->hosts > 0 || v->rate;
}

char *suite_needs_command(const suite_needs *needs)
{
    virtual_needs v;
    if (!read_virtual(needs, &v)) return NULL;
    return suite_text("%s%s%sclustermark run --place virtual:%g%s%s%s%s%s%s",
                      v.nodelay ? "CM_NODELAY=" : "", v.nodelay ? v.nodelay : "",
                      v.nodelay ? " " : "", fmax(v.hosts, 2), v.rate ? "," : "",
                      v.rate ? v.rate : "", v.rate ? "mbit" : "", v.mtu ? ",mtu=" : "",
                      v.mtu ? v.mtu : "", v.two ? " (both results)" : "");
}
