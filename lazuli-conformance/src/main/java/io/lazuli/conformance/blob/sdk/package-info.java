/**
 * Cases of the blob service through the official Java clients: the current one, {@code
 * azure-storage-blob}, and the previous one, {@code azure-storage} 8.
 */
@NullMarked
package io.lazuli.conformance.blob.sdk;

import org.jspecify.annotations.NullMarked;
