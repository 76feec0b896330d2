/**
 * Stops a client before and after each of its requests, to test what the next client finds.
 *
 * <p>A test defines how a new environment is created, what the client that may die does, how
 * another client continues, and what must hold in the end; {@link io.lazuli.client.fault.Faults}
 * does the rest.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.fault;
