/**
 * Secondary indexes across partitions: copies of entities under other partition keys, or in other
 * tables, so that what would be a scan becomes a point query.
 *
 * <p>The guide's example has employees of a department by id and by e-mail address: partitions
 * {@code empid_Sales} and {@code email_Sales}. No transaction spans both, so the copies follow
 * their entities through an {@link io.lazuli.client.pattern.outbox.Outbox}: they become equal,
 * never go back, follow when the indexed value changes, and vanish with their entity.
 *
 * <p>A lookup may miss an entity that was written a moment ago, and may find it as it was. A reader
 * who needs the newest state looks up the key in the index and reads the entity itself. If entities
 * that are looked up together are in one partition, an index within it is cheaper and exact.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.index;
