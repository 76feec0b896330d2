/**
 * Denormalisation: details of an entity are also stored in another one, so that one point query
 * reads both.
 *
 * <p>The guide's example is a department that contains its manager's name and e-mail address,
 * although the manager is an employee and has an entity too. {@link
 * io.lazuli.client.pattern.copies.AsyncDetailCopies} changes the manager and the department in one
 * entity group transaction, on the condition that neither has changed since they were read: no
 * reader sees one change without the other, and two writers never leave details that disagree.
 *
 * <p>A change of the original costs two requests, and one for each entity that may hold its
 * details; assigning another original costs three. Reading the holder with its details costs only
 * one: this is the purpose of the pattern.
 *
 * <p>Originals and holders must be in one partition of one table, and an original with its holders
 * must fit in a transaction: at most 99 holders. If the holders are elsewhere, use the package
 * {@code outbox}: the original becomes a primary, and the details are a target that follows it. If
 * the details change more often than they are read, read both entities instead.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.copies;
