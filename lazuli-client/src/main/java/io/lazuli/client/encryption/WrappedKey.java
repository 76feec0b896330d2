package io.lazuli.client.encryption;

/**
 * A content key as it is stored with the entity that it encrypts. The bytes must not be changed.
 */
record WrappedKey(String keyId, String algorithm, byte[] bytes) {}
