/**
 * Client-side encryption of chosen string properties: what leaves the process is ciphertext, and
 * what comes back is plaintext or an {@link io.lazuli.client.encryption.EncryptionFailure}.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.encryption;
