/**
 * Cases of the queue service through the official Java clients: the current one, {@code
 * azure-storage-queue}, and the previous one, {@code azure-storage} 8.
 */
@NullMarked
package io.lazuli.conformance.queue.sdk;

import org.jspecify.annotations.NullMarked;
