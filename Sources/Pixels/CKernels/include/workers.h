// Threads that stay alive and share the parts of one piece of work after the other.
//
// `rtk_workers_run` is not declared here: Swift declares it itself (BandRunner.swift), because a closure that does not
// escape can be handed to a function of Swift's calling convention without an allocation, and to one of C's cannot.
#ifndef RETAKE_WORKERS_H
#define RETAKE_WORKERS_H

#include <stdint.h>

typedef struct RTKWorkers RTKWorkers;

/// Starts threads; fewer than `count` where the system has no more, which costs time and nothing else.
/// Returns NULL where there is no memory.
RTKWorkers *rtk_workers_start(int32_t count);

/// Ends the threads and waits for them. Nothing may be running.
void rtk_workers_stop(RTKWorkers *workers);

#endif
