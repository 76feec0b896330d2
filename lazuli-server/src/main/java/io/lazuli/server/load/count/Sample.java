package io.lazuli.server.load.count;

import io.lazuli.server.event.KeyUse;
import io.lazuli.server.event.RequestEvent;

/**
 * A request that was picked for a closer look.
 *
 * @param peer the address of the client
 * @param millis the time when it ended
 * @param weight the number of requests that it stands for
 */
public record Sample(
    SpaceRanges space,
    int bucket,
    OperationClass operations,
    RequestEvent event,
    KeyUse keys,
    String peer,
    long millis,
    int weight) {}
