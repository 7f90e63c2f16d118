/* SPDX-License-Identifier: BSD-3-Clause */
/* distance.c: distances of cores, from made-up times of bounces whose truth is known: false alarms
   over fixed seeds, and changes that are found. */
#include "tap.h"
#include "random.h"
#include "measure/distance.h"
#include <math.h>
#include <stdint.h>

enum { BATCHES = 10, LOOKS = 100, AGAIN = 9 };

/* What makes bounces longer than the distance. */
typedef struct {
    const char *what;
    double spread; /* relative deviation of a batch */
    double drift;  /* of the distance from look to look: the clock, and what else the chip does */
    double hit;    /* share of batches with an interrupt */
    double hit_ns; /* mean length of one, a bounce */
    double bad;    /* share of looks beside another load: */
    double bad_share; /* share of their batches that it hits */
} noise;

static const noise noises[] = {
    {"quiet", 0.02, 0.01, 0.01, 100, 0, 0},
    {"interrupts", 0.05, 0.05, 0.1, 300, 0, 0},
    {"stolen time", 0.05, 0.05, 0.1, 3000, 0.05, 0.6},
    {"the host's own load", 0.03, 0.03, 0.01, 600, 0.015, 1}, /* mostly 300 to 1500 ns, as seen */
    {"a busy machine", 0.1, 0.08, 0.25, 3000, 0.1, 0.7},
};

static double exponential(uint64_t *state, double mean)
{
    return -mean * log(1 - cm_random_uniform(state));
}

static double look(uint64_t *state, const noise *n, double level_ns)
{
    double batch_ns[BATCHES];
    const double now_ns = level_ns * exp(n->drift * random_normal(state));
    const double hit = cm_random_uniform(state) < n->bad ? n->bad_share : n->hit;
    for (int k = 0; k < BATCHES; k++) {
        batch_ns[k] = now_ns * exp(n->spread * fabs(random_normal(state)));
        if (cm_random_uniform(state) < hit) batch_ns[k] += exponential(state, n->hit_ns);
    }
    return cm_distance_of(BATCHES, batch_ns);
}

/* Looks as a program does: again as long as a look is in doubt, a few times. */
static void look_at(cm_distance *d, uint64_t *state, const noise *n, double level_ns)
{
    for (int k = 0; k < AGAIN && !cm_distance_add(d, look(state, n, level_ns));) k++;
    cm_distance_drop(d);
}

static void known(void)
{
    double batch_ns[] = {900, 12, 13, 12.5, 5000, 12.2, 14, 800, 12.4, 12.1};
    cm_distance d = {0};
    ok(cm_distance_of(10, batch_ns) < 12.5, "three interrupts in ten batches do not matter");
    ok(isnan(cm_distance_of(0, batch_ns)), "no batch has no distance");
    ok(!cm_distance_add(&d, 12) && !cm_distance_add(&d, 700) && !cm_distance_add(&d, 12.4),
       "looks that disagree are in doubt");
    ok(!cm_distance_add(&d, 12.2) && cm_distance_add(&d, 12.3), "until three in a row agree");
    ok_near(d.first_ns, 12.3, 1e-12, "their median is the first distance");
    ok(cm_distance_add(&d, NAN) && cm_distance_add(&d, 1500) && d.looks == 1,
       "what is not known, or no distance of cores, changes nothing");
    ok(cm_distance_add(&d, 15) && d.changes == 0, "a distance of the same class is none");
    ok(!cm_distance_add(&d, 96) && cm_distance_add(&d, 12.1) && d.changes == 0,
       "one look of another class is no change");
    ok(!cm_distance_add(&d, 96) && !cm_distance_add(&d, 95) && cm_distance_add(&d, 94)
           && d.changes == 1,
       "three are");
    ok_near(d.from_ns, 12.3, 1e-12, "from where");
    ok_near(d.to_ns, 95, 1e-12, "to where");
    for (int k = 0; k < 3; k++) cm_distance_add(&d, 30);
    ok(d.changes == 2 && d.to_ns == 95, "the greatest change is kept");
    ok(d.now_ns == 30 && d.least_ns == 12.1 && d.most_ns == 95, "and the last, least and greatest");
    ok(cm_distance_differs(10, 16) && !cm_distance_differs(10, 15.9)
           && !cm_distance_differs(NAN, 1),
       "classes are a factor of 1.6 apart");
}

static void false_alarms(void)
{
    enum { LAUNCHES = 3000 };
    static const double level_ns[] = {11, 47, 160};
    for (size_t k = 0; k < sizeof noises / sizeof *noises; k++) {
        uint64_t state = 17 + k;
        int alarms = 0;
        for (int launch = 0; launch < LAUNCHES; launch++) {
            cm_distance d = {0};
            for (int i = 0; i < LOOKS; i++) look_at(&d, &state, &noises[k], level_ns[launch % 3]);
            alarms += d.changes > 0;
        }
        ok(alarms <= LAUNCHES / 1000, "%s: %d of %d launches of %d looks have a change",
           noises[k].what, alarms, LAUNCHES, LOOKS);
    }
}

/* At any look but the first, for at least two looks. */
static void found(void)
{
    enum { LAUNCHES = 1000 };
    static const double change_ns[][2] = {{12, 95}, {95, 12}, {22, 47}, {47, 22}, {50, 150}};
    for (size_t k = 0; k < sizeof noises / sizeof *noises; k++) {
        uint64_t state = 99 + k;
        int missed = 0, wrong = 0;
        for (int launch = 0; launch < LAUNCHES; launch++) {
            const double *level_ns = change_ns[launch % 5];
            cm_distance d = {0};
            const int from = 1 + (int)(cm_random_uniform(&state) * (LOOKS - 2));
            const int to = from + 2 + (int)(cm_random_uniform(&state) * (LOOKS - from - 2));
            for (int i = 0; i < LOOKS; i++)
                look_at(&d, &state, &noises[k], level_ns[i >= from && i < to]);
            missed += d.changes == 0;
            wrong += d.changes > 0
                     && (cm_distance_differs(d.from_ns, level_ns[0])
                         || cm_distance_differs(d.to_ns, level_ns[1]))
                     && (cm_distance_differs(d.from_ns, level_ns[1])
                         || cm_distance_differs(d.to_ns, level_ns[0]));
        }
        ok(missed == 0, "%s: %d of %d launches hide a change", noises[k].what, missed, LAUNCHES);
        ok(wrong == 0, "%d say another one", wrong);
    }
}

int main(void)
{
    known();
    false_alarms();
    found();
    return tap_done();
}
