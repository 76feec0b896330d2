/**
 * Waits for results. Every blocking call of this library goes through this package, so that no call
 * waits forever.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.waiting;
