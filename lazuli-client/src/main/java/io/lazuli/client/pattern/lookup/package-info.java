/**
 * Join in the client: a small table that rarely changes is kept in memory as a whole, so that what
 * refers to its entities can be completed without a request for each. See {@link
 * io.lazuli.client.pattern.lookup.AsyncLookup}.
 *
 * <h2>What is promised</h2>
 *
 * <ul>
 *   <li>A value is never older than the two times that are given add up to; if it cannot be renewed
 *       until then, those who ask are told why.
 *   <li>The table is fetched once, however many ask, and only while somebody asks.
 *   <li>A table with more rows than the bound is refused with an error that says so, not cut.
 * </ul>
 *
 * <h2>What it costs</h2>
 *
 * <p>One request for each 1,000 rows, once in an interval; none for a lookup.
 *
 * <h2>When not to use it</h2>
 *
 * <p>For tables that are large, that change often, or whose changes must be seen at once.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.lookup;
