// A pool of threads that share the parts of one job at a time.
//
// Swift declares `rtk_workers_run` itself (BandRunner.swift): passing a non-escaping closure to a
// function with Swift's calling convention needs no allocation, but passing it to a C one does.
#ifndef RETAKE_WORKERS_H
#define RETAKE_WORKERS_H

#include <stdint.h>

typedef struct RTKWorkers RTKWorkers;

/// Starts up to `count` threads; fewer if the system refuses, which only costs speed.
/// Returns NULL if memory runs out.
RTKWorkers *rtk_workers_start(int32_t count);

/// Stops and joins the threads. No job may be running.
void rtk_workers_stop(RTKWorkers *workers);

#endif
