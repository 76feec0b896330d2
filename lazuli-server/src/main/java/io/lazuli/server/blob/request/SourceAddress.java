package io.lazuli.server.blob.request;

/** The place of the content that a copy reads: on this server, or on another one. */
public sealed interface SourceAddress permits CopySource, ExternalSource {}
