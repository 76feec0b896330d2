/**
 * Denormalisation: details of an entity that are kept in another one too, so that both are read by
 * one point query.
 *
 * <p>The guide's example is a department that has its manager's name and e-mail address, though the
 * manager is an employee, and an entity, as well. {@link
 * io.lazuli.client.pattern.copies.AsyncDetailCopies} changes the manager and the department in one
 * entity group transaction, on the condition that neither has changed since they were read: no
 * reader sees one without the other, and two writers never leave details that disagree.
 *
 * <p>A change of the original costs two requests, and one for each entity that may hold its
 * details; assigning another original three. Reading the holder costs one, which is the point.
 *
 * <p>Both must be in one partition of one table, and an original with its holders must fit in a
 * transaction: at most 99 holders. If they are elsewhere, make the original a primary of the
 * package {@code outbox} and the details a target of it: they then follow. If the details change
 * more often than they are read, read both instead.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.copies;
