/**
 * Data series: the points of a series, such as one number for each hour of a day, are properties of
 * one entity, so that a single point query reads them all.
 *
 * <p>{@link io.lazuli.client.pattern.series.AsyncSeries} sets, changes and reads points. It
 * guarantees:
 *
 * <ul>
 *   <li>Writers of different points do not disturb each other, and other properties are kept: a
 *       point is written by a merge.
 *   <li>No change is lost when several writers change one point: {@code update} and {@code add} are
 *       conditional on the ETag that they read, and start over if another writer was faster.
 *   <li>A point that was never set differs from every value.
 * </ul>
 *
 * <p>Costs: one request for reading or setting, two for each attempt of a change. A set can be
 * repeated without harm. An addition cannot: if the response was lost, repeating it may add twice,
 * and so may the retries of the official client. Where that matters, let each writer set its own
 * point.
 *
 * <p>When not to use it: an entity can have 252 points, less the other properties that it needs.
 * For more points use several entities (package {@code wide}) or a blob (package {@code large}).
 * All writers of a series write the same entity, so the rate of changes is limited to what one
 * entity can take.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.series;
