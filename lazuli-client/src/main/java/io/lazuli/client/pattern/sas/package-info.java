/**
 * A SAS broker: clients read and write a table themselves, each only in a range of keys of its own,
 * with tokens that a trusted service signs. The service has the account's key and hands out tokens
 * ({@link io.lazuli.client.pattern.sas.AsyncSasBroker}); clients have tokens and ask for the next
 * in time ({@link io.lazuli.client.pattern.sas.RenewingSas}).
 *
 * <h2>What is promised</h2>
 *
 * <ul>
 *   <li>A token opens the rows of one user, from one key to another, for some permissions and for
 *       some time; the service refuses everything else.
 *   <li>The broker makes one token for a user at a time, however many ask, and hands it out again
 *       until shortly before it expires.
 *   <li>A client asks its broker once for each token, however many requests it makes at once, and
 *       no request is sent with a token that expires before it arrives.
 * </ul>
 *
 * <h2>What it costs</h2>
 *
 * <p>Signing costs no request to the storage service. A client costs its broker one for each
 * lifetime of a token.
 *
 * <h2>When not to use it</h2>
 *
 * <p>A token cannot be taken back before it expires, unless the key that signed it is changed: keep
 * lifetimes short, or name a stored access policy. A range of keys hides rows, not properties.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.pattern.sas;
