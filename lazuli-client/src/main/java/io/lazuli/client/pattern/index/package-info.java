/**
 * Secondary indexes: copies of entities under other keys, so that a scan becomes a point query.
 *
 * <h2>Within a partition</h2>
 *
 * <p>An {@link io.lazuli.client.pattern.index.AsyncIndexedTable} stores an employee as {@code
 * empid_000223} and as {@code email_jonesj@contoso.com}, both in partition {@code Sales}. One
 * entity group transaction writes both, so a reader never sees one without the other, and
 * concurrent writers never leave copies that disagree. At most one entity of the partition has a
 * given value of an index. An insert costs one request, a change or a deletion two, a lookup one.
 * Each copy has all properties or some; an entity has at most 99 copies, and all of them must fit
 * in the 4 MiB of a transaction.
 *
 * <h2>Across partitions</h2>
 *
 * <p>If all employees by id are to be in {@code empid_Sales} and by e-mail address in {@code
 * email_Sales}, or in different tables, no transaction spans both. Declare such an index on an
 * {@link io.lazuli.client.pattern.outbox.AsyncPrimaryTable}.
 *
 * <h2>When not to use it</h2>
 *
 * <p>Do not index values that are rarely searched for: every copy costs at every write. If a
 * partition with all copies becomes too large or too busy, index across partitions. For a value
 * that many entities share, a list of their keys may be smaller than copies: see the package {@code
 * indexlist}.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.index;
