/**
 * A SAS broker: clients read and write a table directly, each only in its own range of keys, with
 * tokens that a trusted service signs. The service has the account's key and hands out tokens
 * ({@link io.lazuli.client.pattern.sas.AsyncSasBroker}); clients have tokens and request the next
 * one in time ({@link io.lazuli.client.pattern.sas.RenewingSas}).
 *
 * <h2>Guarantees</h2>
 *
 * <ul>
 *   <li>A token gives access to the rows of one user, from one key to another, with some
 *       permissions and for some time; the service rejects everything else.
 *   <li>The broker creates one token for a user at a time, however many callers there are, and
 *       returns the same token until shortly before it expires.
 *   <li>A client calls its broker once for each token, however many requests it sends at the same
 *       time, and sends no request with a token that expires before it arrives.
 * </ul>
 *
 * <h2>Costs</h2>
 *
 * <p>Signing sends no request to the storage service. A client sends one request to its broker for
 * each lifetime of a token.
 *
 * <h2>When not to use it</h2>
 *
 * <p>A token cannot be revoked before it expires, unless the key that signed it is changed: keep
 * lifetimes short, or name a stored access policy. A range of keys hides rows, not properties.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.sas;
