/**
 * Data series: the points of a series, such as one number for each hour of a day, as properties of
 * one entity, so that a single point query reads them all.
 *
 * <p>{@link io.lazuli.client.pattern.series.AsyncSeries} sets, changes and reads points. What it
 * promises:
 *
 * <ul>
 *   <li>Writers of different points do not disturb each other, and properties that are no points
 *       are kept: a point is written by a merge.
 *   <li>No change is lost when several writers change one point: {@code update} and {@code add} are
 *       conditioned on the ETag they read, and begin anew if somebody was faster.
 *   <li>A point that was never set is told apart from any value.
 * </ul>
 *
 * <p>Costs: reading and setting, one request each; changing, two for each attempt. Setting can be
 * repeated without harm. Adding cannot: if the answer to an addition was lost, repeating it may add
 * twice, and so may the retries of the official client. Where that matters, let each writer set a
 * point of its own.
 *
 * <p>When not to use it: an entity has room for 252 points (less what other properties need). More
 * points go over several entities (package {@code wide}) or into a blob (package {@code large}).
 * All writers of a series share one entity, hence about as many changes a second as one entity can
 * take.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.series;
