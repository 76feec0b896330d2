package io.lazuli.server.blob.request;

import io.lazuli.server.blob.model.BlobName;
import io.lazuli.server.blob.model.ContainerName;

/** The address of a blob within an account. */
public record BlobAddress(ContainerName container, BlobName blob) {
  /**
   * Returns the name that access is checked by: the container, a slash and the name of the blob.
   */
  public String resource() {
    return container.text() + "/" + blob.text();
  }
}
