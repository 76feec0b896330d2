/**
 * Relationships between entities, which no service checks.
 *
 * <h2>One to many</h2>
 *
 * <p>{@link io.lazuli.client.pattern.relation.AsyncOneToMany} has a department and its employees in
 * one partition, with the number of employees in the department. One entity group transaction
 * writes an employee and the count: the count never disagrees, no employee is without department,
 * and no department with employees is deleted. Inserting an employee costs two requests, deleting
 * one three, changing one two, giving one to another department of the partition four; the count is
 * read by one.
 *
 * <p>Every insertion and deletion writes the parent, so they are made one after the other. Where
 * that is too slow, or the partition would become too large, the children have partitions of their
 * own, with the parent's row key in each of them. The count is then that of a query, or a property
 * that follows through an {@link io.lazuli.client.pattern.outbox.Outbox}: the children are
 * primaries, the parent a target of them. To read a child with details of its parent by one
 * request, keep them there too: the package {@code copies} does so in one partition, an outbox
 * anywhere. An employee who changes to a department in another partition goes there by {@link
 * io.lazuli.client.pattern.outbox.AsyncMove}.
 *
 * <h2>One to one</h2>
 *
 * <p>{@link io.lazuli.client.pattern.relation.AsyncOneToOne} finds the second of a pair by a
 * convention on keys, or by a link that is stored in the first, in two requests. If both are in one
 * partition it inserts both by one request and deletes both by three. If they are not, make the
 * first a primary and the second its target. Consider to make one entity of both: it is read by one
 * request, as long as it stays below 1 MiB and 252 properties.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.relation;
