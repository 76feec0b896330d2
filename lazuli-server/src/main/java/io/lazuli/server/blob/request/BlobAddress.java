package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.ContainerName;

/** Which blob of an account an operation is about. */
public record BlobAddress(ContainerName container, BlobName blob) {
  /** As access is judged by: the container, a slash and the blob's name. */
  public String resource() {
    return container.text() + "/" + blob.text();
  }
}
