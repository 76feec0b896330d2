package io.lazuli.storage;

/**
 * Receives the records of a scan that also shows damage. A scan with any other visitor ends at the
 * first damaged record. Only forward scans show damage.
 */
public interface DamageVisitor extends RecordVisitor {
  /**
   * Receives records that cannot be read, in their place in the order of the scan. Says whether the
   * scan goes on after them; must not skip.
   */
  Visit damaged(DamagedRecords damage);
}
