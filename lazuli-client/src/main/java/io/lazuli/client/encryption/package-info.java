/**
 * Client-side encryption of selected string properties. Only ciphertext leaves the process. A read
 * returns plaintext or fails with an {@link io.lazuli.client.encryption.EncryptionFailure}.
 */
@org.jspecify.annotations.NullMarked
package io.lazuli.client.encryption;
