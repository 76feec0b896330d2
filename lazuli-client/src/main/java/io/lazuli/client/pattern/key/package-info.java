/**
 * Compound keys: several values in one key, such as {@code empid_000123_2012}, so that entities
 * that are read together are stored next to each other and one range query fetches them.
 *
 * <p>{@link io.lazuli.client.pattern.key.KeyFormat} creates such a key from a record and parses it.
 * It guarantees:
 *
 * <ul>
 *   <li>{@code parse(format(x))} equals {@code x}, whatever text the parts contain: the separator
 *       and the characters that a key must not contain ({@code / \ # ?} and control characters) are
 *       escaped.
 *   <li>Keys sort by their first part, then by their second, and so on. This holds for numbers,
 *       which have a fixed width, and for texts of equal length. If one text is a prefix of
 *       another, the separator decides: {@code -} sorts before letters and digits, {@code _} and
 *       {@code |} do not.
 *   <li>A query for the first parts finds exactly the entities that have these parts.
 * </ul>
 *
 * <p>Building keys sends no request; a range query costs one request for each 1,000 entities. When
 * not to use it: a value that changes does not belong in a key, because an entity cannot change its
 * key; it can only be deleted and inserted again.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.key;
