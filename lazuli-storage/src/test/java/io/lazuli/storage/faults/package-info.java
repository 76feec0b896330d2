/** Engines that fail on purpose, in the test jar for the fault tests of other modules. */
package io.lazuli.storage.faults;
