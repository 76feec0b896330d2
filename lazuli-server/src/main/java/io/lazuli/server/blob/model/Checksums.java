package io.lazuli.server.blob.model;

/** The checksums of a body, as the wire has them. */
public record Checksums(String md5, String crc64) {}
