/**
 * Relations between entities, which the service does not check.
 *
 * <h2>One to many</h2>
 *
 * <p>{@link io.lazuli.client.pattern.relation.AsyncOneToMany} stores a department and its employees
 * in one partition, with the number of employees in the department. One entity group transaction
 * writes an employee and the count: the count is always right, no employee is without a department,
 * and no department with employees is deleted. To insert an employee costs two requests, to change
 * an employee two, to delete an employee three, and to move an employee to another department of
 * the partition four. To read the count costs one.
 *
 * <p>Every insertion and deletion writes the parent, so they happen one after the other. If that is
 * too slow, or the partition would become too large, put the children into their own partitions and
 * store the parent's row key in each of them. Then get the count from a query, or keep it in a
 * property that an {@link io.lazuli.client.pattern.outbox.Outbox} updates: the children are
 * primaries and the parent is their target. To read a child with details of its parent in one
 * request, store the details in the child too: the package {@code copies} does this within a
 * partition, an outbox anywhere. {@link io.lazuli.client.pattern.outbox.AsyncMove} moves an
 * employee to a department in another partition.
 *
 * <h2>One to one</h2>
 *
 * <p>{@link io.lazuli.client.pattern.relation.AsyncOneToOne} finds the second entity of a pair by a
 * convention on keys, or by a link that is stored in the first, in two requests. If both are in one
 * partition, it inserts both in one request and deletes both in three. If they are not, make the
 * first a primary and the second its target. Consider combining both in one entity: it is read in
 * one request, as long as it stays below 1 MiB and 252 properties.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.relation;
