/**
 * Queries that quote their values correctly and report their kind before they run. Begin with
 * {@link io.lazuli.client.query.Query} and {@link io.lazuli.client.query.Filter}.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.query;
