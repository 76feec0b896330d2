/**
 * Queries that cannot be mis-quoted, and that tell their kind before they are run. Begin with
 * {@link io.lazuli.client.query.Query} and {@link io.lazuli.client.query.Filter}.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.query;
