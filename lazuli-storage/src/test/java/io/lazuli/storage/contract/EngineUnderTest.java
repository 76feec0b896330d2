package io.lazuli.storage.contract;

/** What all parts of the contract need. */
interface EngineUnderTest {
  /** Returns the engine of this test, with shortcuts. */
  EngineFixture fixture();

  /** Returns true if data survives {@code close}. */
  boolean keepsData();
}
