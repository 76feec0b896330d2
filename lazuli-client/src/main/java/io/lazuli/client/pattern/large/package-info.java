/**
 * Large entities: property values that do not fit into an entity are stored in blobs, and the
 * entity has their addresses. Begin with {@link io.lazuli.client.pattern.large.AsyncLargeTable}.
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li>A reader of an entity gets all its values, of one and the same version, wherever writers
 *       crash: an entity never names a blob that does not exist.
 *   <li>No change is lost among several writers: every write of an entity is conditional on the
 *       state that was read.
 *   <li>Writers that crash leave only orphans, blobs that no entity names. {@link
 *       io.lazuli.client.pattern.large.AsyncLargeTable#collectOrphans()} removes orphans that are
 *       older than an hour, even while other clients write.
 * </ul>
 *
 * <p>The only assumption about time is that the service applies no request later than half an hour
 * after the client gave up waiting for it.
 *
 * <h2>Costs</h2>
 *
 * <p>Values of up to 16 KiB stay in the entity and cost nothing. Each larger value costs one
 * request to read and one to write; replacing it costs one request to read the entity and one to
 * remove the old blob. Announcing a write in an outbox costs two.
 *
 * <h2>When not to use it</h2>
 *
 * <p>If all values together fit into a few entities, use wide entities. For large values that are
 * streamed, or shared by entities, use separate blobs with a link in the entity. An address belongs
 * to one entity: copy values, not rows.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.large;
