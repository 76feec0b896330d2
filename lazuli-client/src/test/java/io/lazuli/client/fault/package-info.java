/**
 * What stops a client before and after every request that it makes, to see what the next one finds.
 *
 * <p>A test says how a fresh world is made, what the client does that may die, how another one goes
 * on, and what must hold in the end; {@link io.lazuli.client.fault.Faults} does the rest.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.fault;
