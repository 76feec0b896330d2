package io.lazuli.server.table.service;

import io.lazuli.server.rehearsal.Dice;
import io.lazuli.server.rehearsal.Fault;

/**
 * The way in which a page of entities ends early in a rehearsal.
 *
 * @param entitiesMax the number of entities; 0 for a page without entities
 * @param endsWithPartition true if the page ends before the next partition, with a token that has
 *     no row
 */
record PageTrouble(int entitiesMax, boolean endsWithPartition) {
  /** Returns the value for a page that does not end early. */
  static PageTrouble none(int entitiesMax) {
    return new PageTrouble(entitiesMax, false);
  }

  static PageTrouble roll(Dice dice, int entitiesMax) {
    if (dice.falls(Fault.EMPTY_PAGES)) {
      return none(0);
    }
    int left = dice.falls(Fault.CUT_PAGES) ? dice.cut(entitiesMax) : entitiesMax;
    return new PageTrouble(left, dice.falls(Fault.PARTITION_TOKENS));
  }
}
