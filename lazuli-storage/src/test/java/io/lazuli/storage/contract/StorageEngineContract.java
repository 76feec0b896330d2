package io.lazuli.storage.contract;

import io.lazuli.storage.StorageEngine;

/**
 * The promises of {@link StorageEngine}. An engine's test extends this class, or {@link
 * DurableEngineContract} if the engine stores data, and opens the engine. The tests themselves are
 * in the interfaces, one per topic.
 */
public abstract class StorageEngineContract extends SharedEngineContract
    implements TimeContract, LaneContract, ModelContract {}
