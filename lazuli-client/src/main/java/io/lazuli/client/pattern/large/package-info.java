/**
 * Large entities: property values that do not fit into an entity are kept in blobs, and the entity
 * has their addresses. Begin with {@link io.lazuli.client.pattern.large.AsyncLargeTable}.
 *
 * <h2>What is promised</h2>
 *
 * <ul>
 *   <li>Whoever reads an entity gets all its values, of one and the same version, wherever writers
 *       die: an entity never names a blob that is not there.
 *   <li>No change is lost among several writers: every write of an entity is conditioned on what
 *       was read.
 *   <li>What writers that die leave behind are orphans, blobs that no entity names. {@link
 *       io.lazuli.client.pattern.large.AsyncLargeTable#collectOrphans()} removes those older than
 *       an hour, while others write.
 * </ul>
 *
 * <p>The one thing assumed of time is that no request is served later than half an hour after it
 * was given up.
 *
 * <h2>What it costs</h2>
 *
 * <p>Values of up to 16 KiB stay in the entity and cost nothing. Each larger one costs a request
 * when it is read, and one when it is written; replacing it costs a request to look and one to
 * remove the old blob. Announcing a write in an outbox costs two.
 *
 * <h2>When not to use it</h2>
 *
 * <p>Values that together fit into some entities are better there: see wide entities. Large values
 * that are streamed, or shared by entities, want blobs of their own with a link in the entity. An
 * address belongs to one entity: copy values, not rows.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.large;
