/** The test suite that every engine passes, in the test jar for the engines of other modules. */
package io.lazuli.storage.contract;
