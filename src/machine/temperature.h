/* SPDX-License-Identifier: BSD-3-Clause */
/* temperature.h: how hot this computer is. */
#ifndef CM_MACHINE_TEMPERATURE_H
#define CM_MACHINE_TEMPERATURE_H

/* Returns the temperature of the hottest sensor in degrees Celsius, of those below root ("": this
   computer); NaN if no sensor can be read. Sensors that are not connected say 0 or less, or more
   than a processor survives (CM_TEMPERATURE_MOST): these do not count. Sources: Linux,
   Documentation/ABI/testing/sysfs-class-thermal and Documentation/hwmon/sysfs-interface.rst, both
   in thousandths of a degree. */
enum { CM_TEMPERATURE_MOST = 150 };
double cm_machine_temperature_C(const char *root);

#endif
