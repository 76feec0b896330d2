package io.lazuli.client.encryption;

/** A content key as it is stored beside what it encrypts. The bytes are not to be changed. */
record WrappedKey(String keyId, String algorithm, byte[] bytes) {}
