package io.lazuli.storage.contract;

/** The promises of an engine that keeps data: all of the contract, also over a restart. */
public abstract class DurableEngineContract extends StorageEngineContract
    implements ReopenContract, ChunkReopenContract {
  @Override
  public final boolean keepsData() {
    return true;
  }
}
