/**
 * Joins in the client: a small table that rarely changes is cached in memory as a whole, so that
 * references to its entities can be resolved without a request for each. See {@link
 * io.lazuli.client.pattern.lookup.AsyncLookup}.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li>A value is never older than the sum of the two configured times. If the table cannot be
 *       fetched by then, callers get the error.
 *   <li>The table is fetched once, however many callers there are, and only while there are
 *       callers.
 *   <li>A table with more rows than the limit is rejected with an error that says so. It is never
 *       truncated.
 * </ul>
 *
 * <h2>Costs</h2>
 *
 * <p>One request for each 1,000 rows, once per interval; none for a lookup.
 *
 * <h2>When not to use it</h2>
 *
 * <p>For tables that are large, that change often, or whose changes must be visible immediately.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.lookup;
