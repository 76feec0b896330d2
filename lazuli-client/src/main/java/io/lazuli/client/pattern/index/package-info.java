/**
 * Secondary indexes: copies of entities under other keys, so that what would be a scan becomes a
 * point query.
 *
 * <h2>Inside a partition</h2>
 *
 * <p>An {@link io.lazuli.client.pattern.index.AsyncIndexedTable} stores an employee as {@code
 * empid_000223} and as {@code email_jonesj@contoso.com}, both in partition {@code Sales}. One
 * entity group transaction writes both, so a reader never sees one without the other, and two
 * writers never leave copies that disagree. A value of an index is had by one entity of the
 * partition at most. An insert costs one request, a change or a deletion two, a lookup one. Each
 * copy is stored in full, or in part; an entity has at most 99, and all of them must fit in the 4
 * MiB of a transaction.
 *
 * <h2>Across partitions</h2>
 *
 * <p>If all employees by id are to be in {@code empid_Sales} and by e-mail address in {@code
 * email_Sales}, or in different tables, no transaction spans both. The copies of an {@link
 * io.lazuli.client.pattern.index.AsyncPartitionIndex} follow their entities through an {@link
 * io.lazuli.client.pattern.outbox.Outbox}: they become equal, never go back, follow when the
 * indexed value changes, and vanish with their entity. A lookup may miss an entity that was written
 * a moment ago, and may find it as it was. A reader who needs the newest state looks up the key in
 * the index and reads the entity itself.
 *
 * <h2>When not</h2>
 *
 * <p>Do not index what is rarely searched for: every copy is paid for at every write. If a
 * partition with all copies becomes too large or too busy, index across partitions. For a value
 * that many entities share, a list of their keys may be smaller than copies: see the package {@code
 * indexlist}.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.index;
