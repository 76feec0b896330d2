package io.lazuli.storage.contract;

/**
 * The promises of an engine that stores data: the whole contract, and what holds after a restart.
 */
public abstract class DurableEngineContract extends StorageEngineContract
    implements ReopenContract, ChunkReopenContract {
  @Override
  public final boolean keepsData() {
    return true;
  }
}
